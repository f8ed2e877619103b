create table notes (id bigint auto_increment primary key, text varchar(80) not null) engine = InnoDB;
