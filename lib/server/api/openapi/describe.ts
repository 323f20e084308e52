import { routes } from '../index';
import { openApiDocument } from './document';

/** Writes the API description to standard output, so that the build need not run a gateway. */
const document = openApiDocument(routes, {
  origin: '',
  relativeTo: 'api',
  pricePerCreditUsd: '0.0000007',
  networks: [],
  perCallMinimumUsd: '0.01',
});
process.stdout.write(JSON.stringify(document));
