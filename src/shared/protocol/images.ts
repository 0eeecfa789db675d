/** Types and limits of the images in a message (2.3). */

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Bytes. The service documents no limit; this one keeps requests below common gateway limits. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Maximum number of pixels of one image, which takes 200 MB when decoded. */
export const MAX_PIXELS = 50_000_000;
export const MAX_IMAGES = 10;
