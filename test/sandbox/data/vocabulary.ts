/** Names used in the demo data: places, people, goods. Weights are relative frequencies. */

export interface Place {
  city: string;
  country: string;
  region: string;
}

const place = (region: string, country: string, ...cities: string[]): Place[] =>
  cities.map((city) => ({ city, country, region }));

export const places: readonly (readonly [readonly Place[], number])[] = [
  [place('Europe', 'Germany', 'Berlin', 'Hamburg', 'München'), 14],
  [place('Europe', 'United Kingdom', 'London', 'Manchester'), 11],
  [place('Europe', 'France', 'Paris', 'Lyon'), 9],
  [place('Europe', 'Spain', 'Madrid', 'Barcelona'), 5],
  [place('Europe', 'Italy', 'Milan', 'Rome'), 4],
  [place('North America', 'United States', 'New York', 'Chicago', 'Austin', 'Seattle'), 26],
  [place('North America', 'Canada', 'Toronto', 'Montréal'), 7],
  [place('Asia Pacific', 'Japan', 'Tokyo', 'Osaka'), 7],
  [place('Asia Pacific', 'Australia', 'Sydney', 'Melbourne'), 5],
  [place('Asia Pacific', 'Singapore', 'Singapore'), 3],
  [place('Latin America', 'Brazil', 'São Paulo', 'Rio de Janeiro'), 6],
  [place('Latin America', 'Mexico', 'Ciudad de México'), 3],
];

export const firstNames =
  'Ana Ben Chloé Dev Elif Femi Greta Hugo Ines Jonas Kaito Lena Mateo Nora Omar Priya Quinn Rosa Sofía Tariq Uma Viktor Wren Yara Zoë'.split(
    ' ',
  );
export const lastNames =
  'Alves Brandt Costa Dubois Eriksen Ferrari García Haddad Ito Jansen Kaya Lindqvist Müller Nakamura Okafor Petrov Quispe Rossi Schmidt Tanaka Ueda Varga Walsh Young Zhang'.split(
    ' ',
  );

export const segments = [
  ['Consumer', 68],
  ['Small business', 23],
  ['Enterprise', 9],
] as const;

export const acquisitionChannels = [
  ['Organic search', 34],
  ['Paid search', 24],
  ['Social media', 20],
  ['Referral', 14],
  ['Email campaign', 8],
] as const;

export const salesChannels = [
  ['Web', 46],
  ['Mobile app', 29],
  ['Store', 16],
  ['Marketplace', 9],
] as const;

export const paymentMethods = [
  ['Credit card', 52],
  ['PayPal', 24],
  ['Bank transfer', 14],
  ['Gift card', 10],
] as const;

export const promoCodes = [
  ['WELCOME10', 5],
  ['SPRING15', 3],
  ['BLACKFRIDAY', 4],
] as const;

export const returnReasons = [
  ['Damaged', 24],
  ['Wrong size', 22],
  ['Not as described', 20],
  ['Changed my mind', 26],
  ['Arrived late', 8],
] as const;

export const brands = ['Auralis', 'Brightforge', 'Cedar & Co', 'Driftline', 'Everhome', 'Fernway'] as const;

export interface Category {
  name: string;
  goods: string;
  /** Lowest and highest list price. */
  prices: readonly [number, number];
  weight: number;
  returnRate: number;
}

export const categories: readonly Category[] = [
  {
    name: 'Electronics',
    goods: 'Headphones,Smart Speaker,Tablet,Webcam,Power Bank,Monitor,Keyboard,Router,Drone,Camera,E-Reader,Charger',
    prices: [29, 649],
    weight: 20,
    returnRate: 0.06,
  },
  {
    name: 'Home & Kitchen',
    goods:
      'Blender,Kettle,Toaster,Cookware Set,Knife Block,Vacuum,Air Fryer,Coffee Maker,Desk Lamp,Rug,Duvet,Storage Box',
    prices: [14, 289],
    weight: 17,
    returnRate: 0.05,
  },
  {
    name: 'Fashion',
    goods: 'Rain Jacket,Sneakers,Denim Shirt,Wool Scarf,Backpack,Sunglasses,Belt,Hoodie,Chinos,Dress,Beanie,Gloves',
    prices: [19, 179],
    weight: 19,
    returnRate: 0.14,
  },
  {
    name: 'Sports & Outdoors',
    goods:
      'Tent,Sleeping Bag,Yoga Mat,Dumbbells,Trail Shoes,Bike Helmet,Water Bottle,Kayak Paddle,Ski Goggles,Football',
    prices: [12, 349],
    weight: 13,
    returnRate: 0.05,
  },
  {
    name: 'Beauty',
    goods: 'Face Cream,Shampoo,Perfume,Hair Dryer,Lipstick,Sun Lotion,Body Wash,Nail Kit,Beard Oil,Serum',
    prices: [8, 119],
    weight: 11,
    returnRate: 0.03,
  },
  {
    name: 'Toys & Games',
    goods: 'Puzzle,Board Game,Building Blocks,Doll House,Toy Train,Card Game,Robot Kit,Plush Bear,Kite,Chess Set',
    prices: [9, 99],
    weight: 10,
    returnRate: 0.04,
  },
  {
    name: 'Books',
    goods: 'Novel,Cookbook,Travel Guide,Biography,Comic Album,Picture Book,Dictionary,Atlas,Poetry Book,Notebook',
    prices: [7, 49],
    weight: 10,
    returnRate: 0.02,
  },
];
