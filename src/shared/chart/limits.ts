/**
 * How much a chart may ask for. Far above what a chart in a conversation needs, far below what would stop a page.
 */
export const limits = {
  /** Length of the specification, in UTF-16 units; inline map shapes are most of it where there are any. */
  specLength: 2_000_000,
  /** Nesting of the specification, inline data included. */
  depth: 40,
  /** Objects, lists and values of the specification without its inline data. */
  nodes: 20_000,
  /** Values in the specification's own inline data. */
  inlineNodes: 400_000,
  /** Rows of the result, and rows at any point of the dataflow. */
  rows: 50_000,
  /** Single views that facets, repeats, concatenations and layers add up to. */
  views: 150,
  /** Rows times single views. */
  rowViews: 100_000,
  /** Numbers that a sequence, ticks, bins or a density estimate may generate. */
  generated: 10_000,
  /** Characters of a text that an expression makes, and of all that are made in one run of the dataflow. */
  text: 1_000_000,
  characters: 100_000_000,
  /** Marks in the finished scene. */
  marks: 25_000,
  /** Milliseconds that the dataflow may take, apart from the start of its worker. */
  time: 1_200,
  /** Milliseconds that it may take to answer the pointer. */
  answer: 400,
} as const;
