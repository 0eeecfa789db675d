declare module 'clusterize.js' {
  export default class Clusterize {
    constructor(options: { rows: string[]; scrollElem: HTMLElement; contentElem: HTMLElement });
    destroy(clean?: boolean): void;
  }
}
