/** Types and maximum size of the images in a message (2.3). */

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Bytes. The service documents no limit; this one keeps requests below common gateway limits. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
