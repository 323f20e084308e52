import { fileURLToPath } from 'node:url';

/** The folder of the checkout under test, where `dist` and `.next` are. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));
