import { routes } from '../index';
import { openApiDocument } from './document';

/** Writes the API description to standard output, for the build, which runs no gateway. */
const document = openApiDocument(routes, {
  origin: '',
  relativeTo: 'api',
  pricePerCreditUsd: '0.0000007',
  networks: [],
  perCallMinimumUsd: '0.01',
});
process.stdout.write(JSON.stringify(document));
