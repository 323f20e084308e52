import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { chatGateway } from './chat-gateway';
import { scriptedModel } from './scripted-model';

/** Starts a gateway whose model `tee` runs in a simulated enclave that the gateway accepts. */
export async function attestedGateway() {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "measured"}');
  const model = await scriptedModel(
    ({ path }, response) => {
      const nonce = new URL(path, 'http://model').searchParams.get('nonce') ?? '';
      response.end(JSON.stringify(enclave.attest('tee', Buffer.from(nonce, 'hex'), Date.now())));
    },
    [{ id: 'tee' }],
  );
  const roots = [{ certificate: Buffer.from(enclave.root).toString('base64'), simulated: true }];
  const gateway = await chatGateway({
    enclaveUpstreams: [{ name: 'enclave', url: model.url }],
    attestation: { roots, pccsUrl: null, nvidiaUrl: null },
  });
  return { ...gateway, root: enclave.root };
}
