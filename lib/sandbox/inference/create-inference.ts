import path from 'node:path';
import { SimulatedEnclave } from '../enclave/enclave';
import { openEnclaveKeys } from '../enclave/enclave-keys';
import { readDocuments } from '../guide/documents';
import { Guide } from '../guide/guide';
import { ChutesControl } from './chutes-control';
import { InferenceServer, type InferenceOptions } from './inference-server';
import { isAttested, STAND_IN_MODELS, type StandInPlace } from './models';

/** The stand-ins for inference: servers of models outside of an enclave, and of those in the simulated one. */
export interface Inference {
  servers: Readonly<Record<StandInPlace, InferenceServer>>;
  /** The API by which encrypted chats with instances of Chutes go. */
  chutes: ChutesControl;
  enclave: SimulatedEnclave;
}

const ENCLAVE_FOLDER = 'enclave';
const OPENAPI_FILE = path.join('dist', 'openapi.json');

/** What the simulated enclave measures as its workload. */
const APP_COMPOSE = JSON.stringify({
  manifest_version: 2,
  name: 'turnpike-guide',
  note: 'SIMULATED: there is no hardware behind this enclave.',
  models: STAND_IN_MODELS.filter(isAttested).map(({ id }) => id),
});

/**
 * Opens the stand-ins. Keys are read, or made at the first start; documents are those of the project.
 *
 * @param dataDir where the sandbox keeps its state
 * @param projectRoot the folder of README and docs
 */
export function createInference(
  dataDir: string,
  projectRoot: string,
  options: Pick<InferenceOptions, 'eventDelayMs'> = {},
): Inference {
  const enclave = new SimulatedEnclave(openEnclaveKeys(path.join(dataDir, ENCLAVE_FOLDER), Date.now()), APP_COMPOSE);
  const guide = new Guide(readDocuments(projectRoot, path.join(projectRoot, OPENAPI_FILE)));
  const inEnclave = (place: StandInPlace) => new InferenceServer({ guide, enclave, place, ...options });
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
