-- SPDX-License-Identifier: Apache-2.0
-- MySQL and MariaDB. Texts compare by their bytes (utf8mb4_bin), as they do in PostgreSQL.

CREATE TABLE categories (
    id   bigint      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    code varchar(40) NOT NULL,
    name varchar(80) NOT NULL,
    CONSTRAINT categories_code UNIQUE (code)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE products (
    id          bigint      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    code        varchar(40) NOT NULL,
    name        varchar(80) NOT NULL,
    price_cents int         NOT NULL,
    category_id bigint      NOT NULL,
    CONSTRAINT products_code UNIQUE (code),
    INDEX products_category (category_id),
    CONSTRAINT products_category_exists FOREIGN KEY (category_id) REFERENCES categories (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE customers (
    id   bigint      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    code varchar(40) NOT NULL,
    name varchar(80) NOT NULL,
    CONSTRAINT customers_code UNIQUE (code)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE addresses (
    id          bigint      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    customer_id bigint      NOT NULL,
    street      varchar(80) NOT NULL,
    city        varchar(80) NOT NULL,
    INDEX addresses_customer (customer_id),
    CONSTRAINT addresses_customer_exists FOREIGN KEY (customer_id) REFERENCES customers (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE orders (
    id          bigint      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    code        varchar(40) NOT NULL,
    customer_id bigint      NOT NULL,
    CONSTRAINT orders_code UNIQUE (code),
    INDEX orders_customer (customer_id),
    CONSTRAINT orders_customer_exists FOREIGN KEY (customer_id) REFERENCES customers (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE items (
    id         bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    order_id   bigint NOT NULL,
    product_id bigint NOT NULL,
    quantity   int    NOT NULL,
    INDEX items_order (order_id),
    INDEX items_product (product_id),
    CONSTRAINT items_order_exists FOREIGN KEY (order_id) REFERENCES orders (id),
    CONSTRAINT items_product_exists FOREIGN KEY (product_id) REFERENCES products (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
