/** Version in package.json, inserted by the build. */
declare const PRODUCT_VERSION: string;
