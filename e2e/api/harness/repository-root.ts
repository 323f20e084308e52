import { fileURLToPath } from 'node:url';

/** Root of the checkout under test, with `dist` and `.next`. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));
