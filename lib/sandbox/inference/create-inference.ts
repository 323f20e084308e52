import path from 'node:path';
import { SimulatedEnclave } from '../enclave/enclave';
import { openEnclaveKeys } from '../enclave/enclave-keys';
import { EmbeddingsServer } from '../embeddings/embeddings-server';
import { readDocuments } from '../guide/documents';
import { Guide } from '../guide/guide';
import { ChutesControl } from './chutes-control';
import { InferenceServer, type InferenceOptions } from './inference-server';
import { isAttested, STAND_IN_MODELS, type StandInPlace } from './models';

/** Simulated inference servers. Every server except `guide` runs in the simulated enclave. */
export interface Inference {
  servers: Readonly<Record<StandInPlace, InferenceServer>>;
  chutes: ChutesControl;
  enclave: SimulatedEnclave;
}

const ENCLAVE_FOLDER = 'enclave';
const OPENAPI_FILE = path.join('dist', 'openapi.json');

/** Workload that the simulated enclave measures: its compose file. */
const APP_COMPOSE = JSON.stringify({
  manifest_version: 2,
  name: 'turnpike-guide',
  note: 'SIMULATED: there is no hardware behind this enclave.',
  models: STAND_IN_MODELS.filter(isAttested).map(({ id }) => id),
});

/** Creates the simulated servers. Reads the enclave's keys, or makes them on the first start. */
export function createInference(
  dataDir: string,
  projectRoot: string,
  {
    embeddings = new EmbeddingsServer(() => readDocuments(projectRoot)),
    ...options
  }: Pick<InferenceOptions, 'eventDelayMs' | 'embeddings'> = {},
): Inference {
  const enclave = new SimulatedEnclave(openEnclaveKeys(path.join(dataDir, ENCLAVE_FOLDER), Date.now()), APP_COMPOSE);
  const guide = new Guide(readDocuments(projectRoot, path.join(projectRoot, OPENAPI_FILE)));
  const inEnclave = (place: StandInPlace) => new InferenceServer({ guide, enclave, place, embeddings, ...options });
  const servers = {
    guide: new InferenceServer({ guide, enclave: null, ...options }),
    enclave: inEnclave('enclave'),
    near: inEnclave('near'),
    tinfoil: inEnclave('tinfoil'),
    chutes: inEnclave('chutes'),
  };
  return {
    servers,
    chutes: new ChutesControl({
      guide,
      enclave,
      tamperingOf: (nonce) => servers.chutes.tamperingOf(nonce),
      ...options,
    }),
    enclave,
  };
}
