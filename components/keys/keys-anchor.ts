export const KEYS_ANCHOR = 'your-keys';
