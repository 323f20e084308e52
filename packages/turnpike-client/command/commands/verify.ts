import { listChatModels } from '@/lib/client/chat-models';
import { attestationPolicy, attestationRefusal, attestModel, hopsOfAttestation } from '@/lib/client/private-chat';
import { connectionNow } from '@/lib/client/private-chat/connection';
import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeHops, describeVerdict } from '../described-privacy';
import { readOptions } from '../options';
import { argumentsNamed } from '../positionals';
import { jsonText, printableLine } from '../printable';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';

const HELP = `turnpike-client verify MODEL [options]

Asks the enclave of a model for a report over a fresh nonce and verifies it here. The exit
code is 0 for an accepted verdict, otherwise 1.

${PRIVATE_HELP}
${CUSTOMER_HELP}
`;

export const verify: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, { ...CUSTOMER_OPTIONS, ...PRIVATE_OPTIONS });
    const { MODEL: model } = argumentsNamed(positionals, 'MODEL');
    const customer = await readCustomer(values, io, { budget: null });
    const { accepted = ['verified'], ...additions } = await readPrivateOptions(values, customer);
    const isEncryptable = await takesEncryption(connectionNow(customer.connection), model, io.signal);
    const attestation = await attestModel({
      connection: customer.connection,
      model,
      policy: attestationPolicy(additions),
      needsPublicKey: isEncryptable,
      signal: io.signal,
    });
    const hops = hopsOfAttestation(attestation, {
      client: 'program',
      gateway: new URL(connectionNow(customer.connection).baseUrl).host,
    });
    const refusal = attestationRefusal(attestation, accepted);
    const { conclusion, reason, checks, measurements, workload } = attestation.verdict;
    if (values.json)
      io.out(
        `${jsonText({ model, verdict: conclusion, reason, isAccepted: refusal === null, workload, checks: checks.map(({ id, outcome, reason: why }) => ({ id, outcome, reason: why })), measurements, family: attestation.verdict.family, enclaves: attestation.verdict.enclaves, hops }, 2)}\n`,
      );
    else
      io.out(
        [
          ...checks.map(({ id, outcome, reason: why }) =>
            printableLine(`${outcome.padEnd(13)} ${id}${why ? `: ${why}` : ''}`),
          ),
          '',
          describeHops(hops),
          describeVerdict(attestation),
          ...(refusal ? [refusal.message, refusal.hint] : []),
          '',
        ].join('\n'),
      );
    return refusal === null ? EXIT.done : EXIT.failed;
  },
};

/**
 * Returns whether clients can encrypt prompts to a model, according to the model list. Returns false for an unlisted
 * model. Without encryption, the gateway can read a prompt that it forwards.
 */
async function takesEncryption(
  connection: ReturnType<typeof connectionNow>,
  model: string,
  signal: AbortSignal,
): Promise<boolean> {
  const models = await listChatModels(connection, { signal });
  return models.find(({ id }) => id === model)?.can.encrypt ?? false;
}
