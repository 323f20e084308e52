import { randomBytes } from 'node:crypto';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import { type Command, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { describeSignature, describeVerdict } from '../described-privacy';
import { countOption, readOptions } from '../options';
import { noArguments } from '../positionals';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';
import { type Privacy, type ProxiedCall, startProxy } from '../proxy/proxy-server';
import { UsageError } from '../usage-error';

const PORT = 8402;
const PORT_RANGE = [0, 65_535] as const;
const PRIVACIES: readonly string[] = ['encrypted', 'attested', 'plain'] satisfies Privacy[];
const TOKEN = /^[\w-]{16,200}$/;

const HELP = `turnpike-client proxy [options]

Listens on loopback for programs in any language, and signs in, pays within the budget, verifies
and encrypts for them. OPENAI_BASE_URL and ANTHROPIC_BASE_URL point at it:

  /v1/chat/completions, /v1/responses, /v1/messages, /v1/models, /v1/audio/speech, /rpc/NETWORK

  --port N               ${PORT} unless given; 0 for any that is free
  --privacy encrypted    chats are verified, encrypted and their answers' signatures checked;
                         what cannot be encrypted, such as tools, is refused (the default)
  --privacy attested     the enclave is verified first; the gateway can read the chat
  --privacy plain        chats are sent as they are
  --plain-field NAME     a field of chats that may go out unencrypted, such as
                         response_format; may be repeated
  TURNPIKE_PROXY_TOKEN   the token that programs give as their API key; drawn unless set
${PRIVATE_HELP}
${BUDGET_HELP}
${CUSTOMER_HELP}
`;

const OPTIONS = { ...CUSTOMER_OPTIONS, ...PRIVATE_OPTIONS, port: { type: 'string' }, privacy: { type: 'string' }, 'plain-field': { type: 'string', multiple: true } } as const;

/** A local endpoint for programs that know nothing of wallets and enclaves. */
export const proxy: Command = {
  summary: 'a local endpoint that makes any OpenAI, Anthropic or JSON-RPC program a customer',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    noArguments(positionals);
    const port = countOption('port', values.port, PORT_RANGE) ?? PORT;
    const privacy = values.privacy ?? 'encrypted';
    if (!PRIVACIES.includes(privacy)) throw new UsageError(`--privacy is ${JSON.stringify(privacy)}; it is one of ${PRIVACIES.join(', ')}.`);
    const token = io.env['TURNPIKE_PROXY_TOKEN'] ?? randomBytes(24).toString('base64url');
    if (!TOKEN.test(token)) throw new UsageError('TURNPIKE_PROXY_TOKEN has 16 to 200 letters, digits, _ or -.');
    const tell = (line: string, fields: object): void => io.err(values.json ? `${JSON.stringify(fields)}\n` : line);
    const customer = await readCustomer(values, io, { onEvent: (event) => tell(describeEvent(event), event) });
    const privately: PrivateFetchOptions = {
      ...(await readPrivateOptions(values, customer)),
      ...(values['plain-field'] && { plainParameters: values['plain-field'] }),
      onAttestation: (attestation) => tell(`${describeVerdict(attestation)}\n`, { type: 'attested', model: attestation.model, verdict: attestation.verdict.conclusion }),
      onSignature: (check) => tell(`${describeSignature(check)}\n`, { type: 'signature', outcome: check.outcome, signer: check.signer }),
    };
    const running = await startProxy({ customer, privacy: privacy as Privacy, privately, token, port, onCall: (call) => tell(describeCall(call), { type: 'call', ...call }) }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new UsageError(`Port ${port} is taken. Choose another with --port.`) : error;
    });
    const url = `http://127.0.0.1:${running.port}`;
    io.out(values.json ? `${JSON.stringify({ url, token, privacy })}\n` : welcome(url, token, privacy));
    await new Promise<void>((resolve) => (io.signal.aborted ? resolve() : io.signal.addEventListener('abort', () => resolve(), { once: true })));
    await running.close();
    return EXIT.done;
  },
};

function welcome(url: string, token: string, privacy: string): string {
  return `Listening on ${url}; chats are ${privacy === 'plain' ? 'sent as they are' : privacy}.

  export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${token}
  export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${token}
  JSON-RPC: ${url}/${token}/rpc/ethereum-mainnet

Ctrl+C ends it.
`;
}

function describeCall({ method, path, status, durationMs, costUsd, balanceRemainingUsd }: ProxiedCall): string {
  const cost = costUsd === null ? '' : `, ${costUsd} USD`;
  const rest = balanceRemainingUsd === null ? '' : `, ${balanceRemainingUsd} USD left`;
  return `${method} ${path}: ${status} in ${durationMs} ms${cost}${rest}\n`;
}
