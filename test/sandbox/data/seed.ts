/** Generates the demo data as tables of text rows, identical on every machine. */
import { FIRST_DAY, TODAY, addDays, daysBetween } from './calendar.ts';
import { createRandom, type Random } from './random.ts';
import * as words from './vocabulary.ts';

export type Cell = string | number | boolean | null;
/** A table: its name in the schema `raw`, and its rows with cells in column order. */
export interface SeedTable {
  name: string;
  rows: Cell[][];
}

const CUSTOMERS = 3000;
const ORDERS_A_DAY = 27;
const FIRST_SIGN_UP = '2022-03-01';
const DAY_SECONDS = 86_400;

interface Customer {
  id: number;
  signedUpOn: string;
}
interface Product {
  id: number;
  price: number;
  cost: number;
  returnRate: number;
  weight: number;
}

const cents = (value: number): number => Math.round(value * 100) / 100;

function moment(day: string, random: Random): string {
  const second = random.between(6 * 3600, DAY_SECONDS - 1);
  return new Date(Date.parse(day) + second * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function makeCustomers(random: Random): { table: SeedTable; customers: Customer[] } {
  const days = daysBetween(FIRST_SIGN_UP, TODAY);
  const signUps = Array.from({ length: CUSTOMERS }, () => random.between(0, days.length - 1)).sort((a, b) => a - b);
  const customers: Customer[] = [];
  const rows = signUps.map((dayIndex, index): Cell[] => {
    const id = index + 1;
    const signedUpOn = days[dayIndex] ?? TODAY;
    customers.push({ id, signedUpOn });
    const name = `${random.any(words.firstNames)} ${random.any(words.lastNames)}`;
    const { city, country, region } = random.any(random.pick(words.places));
    const account = name
      .normalize('NFD')
      .replace(/[^a-z ]/gi, '')
      .toLowerCase()
      .replace(' ', '.');
    return [
      id,
      name,
      `${account}${id}@example.com`,
      city,
      country,
      region,
      random.pick(words.segments),
      random.pick(words.acquisitionChannels),
      random.next() < 0.41,
      moment(signedUpOn, random),
    ];
  });
  return { table: { name: 'customers', rows }, customers };
}

function makeProducts(random: Random): { table: SeedTable; products: Product[] } {
  const rows: Cell[][] = [];
  const products: Product[] = [];
  for (const category of words.categories) {
    // Divides the sales among the goods. `goods.length` counts characters, not goods; correcting it would change the
    // data.
    const spread = category.goods.length ** 0.5;
    for (const goods of category.goods.split(',')) {
      const id = rows.length + 1;
      const brand = random.any(words.brands);
      const [low, high] = category.prices;
      const price = Math.round(low + (high - low) * random.next() ** 2) + 0.99;
      const cost = cents(price * (0.42 + random.next() * 0.24));
      const code = category.name.slice(0, 3).toUpperCase();
      rows.push([id, `${code}-${1000 + id}`, `${brand} ${goods}`, category.name, brand, price, cost]);
      products.push({
        id,
        price,
        cost,
        returnRate: category.returnRate,
        weight: (category.weight * (0.4 + random.next())) / spread,
      });
    }
  }
  return { table: { name: 'products', rows }, products };
}

/** The number of orders on a day: they grow by about a fifth per year, peak before Christmas and dip on weekends. */
function ordersOn(day: string, random: Random): number {
  const date = new Date(day);
  const years = (Date.parse(day) - Date.parse(FIRST_DAY)) / (365 * DAY_SECONDS * 1000);
  const season = [0.86, 0.84, 0.93, 0.97, 1.02, 0.98, 0.94, 0.92, 1.0, 1.05, 1.3, 1.36][date.getUTCMonth()] ?? 1;
  const weekday = [0.9, 1.04, 1.02, 1, 1.02, 1.1, 0.92][date.getUTCDay()] ?? 1;
  return Math.max(3, Math.round(ORDERS_A_DAY * (1 + years * 0.2) * season * weekday * (0.8 + random.next() * 0.4)));
}

function orderStatus(day: string, random: Random): string {
  if (random.next() < 0.05) return 'Cancelled';
  if (day > addDays(TODAY, -4)) return 'Processing';
  return day > addDays(TODAY, -9) ? 'Shipped' : 'Completed';
}

/** @returns the tables, in an order that satisfies their foreign keys */
export function makeTables(): SeedTable[] {
  const random = createRandom(20_230_101);
  const { table: customerTable, customers } = makeCustomers(random);
  const { table: productTable, products } = makeProducts(random);
  const choices = products.map((product) => [product, product.weight] as const);
  const orders: Cell[][] = [];
  const items: Cell[][] = [];
  const returns: Cell[][] = [];
  let known = 0;
  for (const day of daysBetween(FIRST_DAY, TODAY)) {
    while ((customers[known]?.signedUpOn ?? '9999') <= day) known += 1;
    for (let left = ordersOn(day, random); left > 0; left -= 1) {
      const orderId = orders.length + 1;
      const customer = Math.floor(random.next() ** 1.3 * known) + 1;
      const status = orderStatus(day, random);
      const sent = status === 'Completed' || status === 'Shipped';
      const promo = random.next() < 0.12 ? random.pick(words.promoCodes) : null;
      orders.push([
        orderId,
        customer,
        moment(day, random),
        sent ? moment(addDays(day, random.between(1, 4)), random) : null,
        status,
        random.pick(words.salesChannels),
        random.pick(words.paymentMethods),
        promo,
        random.next() < 0.3 ? 0 : cents(3.9 + random.next() * 9),
        sent ? `9${String(random.between(0, 999_999_999)).padStart(9, '0')}${String(orderId).padStart(8, '0')}` : null,
      ]);
      for (
        let count = random.pick([
          [1, 26],
          [2, 30],
          [3, 22],
          [4, 14],
          [5, 8],
        ] as const);
        count > 0;
        count -= 1
      ) {
        const product = random.pick(choices);
        const quantity = random.pick([
          [1, 66],
          [2, 22],
          [3, 8],
          [4, 4],
        ] as const);
        const price = cents(product.price * (day < '2024-01-01' ? 0.96 : 1));
        const gross = cents(price * quantity);
        const discount = cents(
          gross *
            (promo === null
              ? random.pick([
                  [0, 80],
                  [0.05, 12],
                  [0.2, 8],
                ] as const)
              : 0.12),
        );
        const itemId = items.length + 1;
        items.push([
          itemId,
          orderId,
          product.id,
          quantity,
          price,
          discount,
          cents(gross - discount),
          cents(product.cost * quantity),
        ]);
        const returnedOn = addDays(day, random.between(5, 32));
        const comesBack = random.next() < product.returnRate;
        const part = random.between(1, quantity);
        const reason = random.pick(words.returnReasons);
        if (!comesBack || status !== 'Completed' || returnedOn > TODAY) continue;
        const refund = cents(((gross - discount) * part) / quantity);
        returns.push([returns.length + 1, itemId, moment(returnedOn, random), reason, part, refund]);
      }
    }
  }
  return [
    customerTable,
    productTable,
    { name: 'orders', rows: orders },
    { name: 'line_items', rows: items },
    { name: 'returns', rows: returns },
  ];
}
