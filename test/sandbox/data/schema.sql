-- Tables of the demo data. The chat service queries them only through the data model.
CREATE SCHEMA raw;

CREATE TABLE raw.customers (
  id integer PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  city text NOT NULL,
  country text NOT NULL,
  region text NOT NULL,
  segment text NOT NULL,
  acquisition_channel text NOT NULL,
  newsletter boolean NOT NULL,
  signed_up_at timestamp NOT NULL
);

CREATE TABLE raw.products (
  id integer PRIMARY KEY,
  sku text NOT NULL,
  name text NOT NULL,
  category text NOT NULL,
  brand text NOT NULL,
  list_price numeric(10, 2) NOT NULL,
  unit_cost numeric(10, 2) NOT NULL
);

CREATE TABLE raw.orders (
  id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES raw.customers,
  ordered_at timestamp NOT NULL,
  shipped_at timestamp,
  status text NOT NULL,
  channel text NOT NULL,
  payment_method text NOT NULL,
  promo_code text,
  shipping_cost numeric(10, 2) NOT NULL,
  tracking_number bigint
);

CREATE TABLE raw.line_items (
  id integer PRIMARY KEY,
  order_id integer NOT NULL REFERENCES raw.orders,
  product_id integer NOT NULL REFERENCES raw.products,
  quantity integer NOT NULL,
  unit_price numeric(10, 2) NOT NULL,
  discount numeric(12, 2) NOT NULL,
  amount numeric(12, 2) NOT NULL,
  cost numeric(12, 2) NOT NULL
);

CREATE TABLE raw.returns (
  id integer PRIMARY KEY,
  line_item_id integer NOT NULL UNIQUE REFERENCES raw.line_items,
  returned_at timestamp NOT NULL,
  reason text NOT NULL,
  quantity integer NOT NULL,
  refund numeric(12, 2) NOT NULL
);
