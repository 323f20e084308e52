import { attestationPolicy, attestationRefusal, attestModel } from '@/lib/client/private-chat';
import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeVerdict } from '../described-privacy';
import { readOptions } from '../options';
import { argumentsNamed } from '../positionals';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';

const HELP = `turnpike-client verify MODEL [options]

Asks the enclave of a model for a report over a fresh nonce and verifies it here. Ends with 0
where the verdict is one of those that are accepted, with 1 otherwise.

${PRIVATE_HELP}
${CUSTOMER_HELP}
`;

/** An attestation, verified on this side. */
export const verify: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, { ...CUSTOMER_OPTIONS, ...PRIVATE_OPTIONS });
    const { MODEL: model } = argumentsNamed(positionals, 'MODEL');
    const customer = await readCustomer(values, io, { budget: null });
    const { accepted = ['verified'], ...additions } = await readPrivateOptions(values, customer);
    const attestation = await attestModel({ connection: customer.connection, model, policy: attestationPolicy(additions), needsPublicKey: false, signal: io.signal });
    const refusal = attestationRefusal(attestation, accepted);
    const { conclusion, reason, checks, measurements, workload } = attestation.verdict;
    if (values.json) io.out(`${JSON.stringify({ model, verdict: conclusion, reason, isAccepted: refusal === null, workload, checks: checks.map(({ id, outcome, reason: why }) => ({ id, outcome, reason: why })), measurements }, null, 2)}\n`);
    else io.out([...checks.map(({ id, outcome, reason: why }) => `${outcome.padEnd(13)} ${id}${why ? `: ${why}` : ''}`), '', describeVerdict(attestation), ...(refusal ? [refusal.message, refusal.hint] : []), ''].join('\n'));
    return refusal === null ? EXIT.done : EXIT.failed;
  },
};
