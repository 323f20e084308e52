/** Characters per minute at speed 1, which is 150 words. */
export const CHARACTERS_PER_MINUTE = 900;
