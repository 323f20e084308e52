import { routes } from '../index';
import { openApiDocument } from './document';

/** Writes the description of the API to standard output: the build keeps it for those who do not serve it. */
const document = openApiDocument(routes, {
  origin: '',
  relativeTo: 'api',
  pricePerCreditUsd: '0.0000007',
  networks: [],
  perCallMinimumUsd: '0.01',
});
process.stdout.write(JSON.stringify(document));
