/** Characters that a voice speaks in a minute at speed 1: 150 words. */
export const CHARACTERS_PER_MINUTE = 900;
