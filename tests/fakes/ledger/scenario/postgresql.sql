create table notes (id bigint generated always as identity primary key, text varchar(80) not null);
