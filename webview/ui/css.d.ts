/** Style sheets are imported for bundling only. */
declare module '*.css';
