/** Version in package.json, put in by the build. */
declare const PRODUCT_VERSION: string;
