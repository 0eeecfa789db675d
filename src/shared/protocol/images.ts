/** The images that a message may have (2.3). */

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Bytes. The service names no limit; this one keeps a request within what gateways take. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
