import { randomBytes } from 'node:crypto';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import { type Command, type CommandIo, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readPrivateCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { describeSignature, describeVerdict } from '../described-attestation';
import { countOption, readOptions } from '../options';
import { noArguments } from '@/lib/command-line/options';
import { jsonText } from '../printable';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';
import { describeCall, Spending } from '../proxy/proxied-call';
import { type Privacy, type RunningProxy, startProxy } from '../proxy/proxy-server';
import { UsageError } from '@/lib/command-line/usage-error';

const PORT = 8402;
const PORT_RANGE = [0, 65_535] as const;
const PRIVACIES: readonly string[] = ['encrypted', 'attested', 'plain'] satisfies Privacy[];
const TOKEN = /^[\w-]{16,200}$/;

const HELP = `turnpike-client proxy [options]

Listens on loopback for programs in any language, and signs in, pays within the budget, verifies
and encrypts for them. Point OPENAI_BASE_URL or ANTHROPIC_BASE_URL at it. Serves:

  /v1/chat/completions, /v1/responses, /v1/messages, /v1/models, /v1/embeddings,
  /v1/audio/speech, /v1/audio/transcriptions, /v1/images/generations, /v1/image/generate,
  /v1/video/…, /rpc/NETWORK

Prints each verdict, and each call with its cost, to standard error.

  --port N               port to listen on, ${PORT} by default; 0 for any free one
  --model ID             use this model for every chat, whatever model a program names
  --privacy encrypted    chats are verified, encrypted, and their answers' signatures checked;
                         what cannot be encrypted, such as tools, is refused (the default)
  --privacy attested     the enclave is verified and the answers' signatures checked; the
                         gateway can read the chat
  --privacy plain        chats are sent as they are
  --plain-field NAME     a field of chats that may be sent unencrypted, such as
                         response_format; may be repeated
  TURNPIKE_PROXY_TOKEN   the token that programs send as their API key; random by default
${PRIVATE_HELP}
${BUDGET_HELP}
${CUSTOMER_HELP}
`;

const OPTIONS = {
  ...CUSTOMER_OPTIONS,
  ...PRIVATE_OPTIONS,
  port: { type: 'string' },
  model: { type: 'string' },
  privacy: { type: 'string' },
  'plain-field': { type: 'string', multiple: true },
} as const;

export const proxy: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    noArguments(positionals);
    const port = countOption('port', values.port, PORT_RANGE) ?? PORT;
    const privacy = privacyOption(values.privacy);
    const token = readToken(io);
    const tell = (line: string, fields: object): void => {
      if (values.json) io.err(`${jsonText(fields)}\n`);
      else if (line !== '') io.err(line);
    };
    const customer = await readPrivateCustomer(values, io, { onEvent: (event) => tell(describeEvent(event), event) });
    const privately: PrivateFetchOptions = {
      ...(await readPrivateOptions(values, customer)),
      ...(values['plain-field'] && { plainParameters: values['plain-field'] }),
      onAttestation: (attestation) =>
        tell(`${describeVerdict(attestation)}\n`, {
          type: 'attested',
          model: attestation.model,
          verdict: attestation.verdict.conclusion,
        }),
      onSignature: (check) =>
        tell(`${describeSignature(check)}\n`, {
          type: 'signature',
          outcome: check.outcome,
          reason: check.reason,
          signer: check.signer,
        }),
    };
    const spending = new Spending();
    const running = await startProxy({
      customer,
      privacy,
      privately,
      token,
      port,
      model: values.model ?? null,
      onCall: (call) => {
        spending.add(call);
        tell(describeCall(call), { type: 'call', ...call });
      },
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new UsageError(`Port ${port} is taken. Choose another with --port.`) : error;
    });
    const url = `http://127.0.0.1:${running.port}`;
    io.out(values.json ? `${JSON.stringify({ url, token, privacy })}\n` : welcome(url, token, privacy));
    await ended(running, io);
    const toppedUpUsd = customer.spentTodayUsd();
    tell(
      `${spending.calls} ${spending.calls === 1 ? 'call' : 'calls'}, ${spending.usd} USD charged, ${toppedUpUsd} USD topped up.\n`,
      { type: 'ended', calls: spending.calls, chargedUsd: spending.usd, toppedUpUsd },
    );
    return EXIT.done;
  },
};

function privacyOption(privacy = 'encrypted'): Privacy {
  if (!PRIVACIES.includes(privacy))
    throw new UsageError(`--privacy is ${JSON.stringify(privacy)}; it must be one of ${PRIVACIES.join(', ')}.`);
  return privacy as Privacy;
}

function readToken({ env }: CommandIo): string {
  const token = env['TURNPIKE_PROXY_TOKEN'] ?? randomBytes(24).toString('base64url');
  if (!TOKEN.test(token)) throw new UsageError('TURNPIKE_PROXY_TOKEN must have 16 to 200 letters, digits, _ or -.');
  return token;
}

async function ended(running: RunningProxy, { signal }: CommandIo): Promise<void> {
  await new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await running.close();
}

function welcome(url: string, token: string, privacy: Privacy): string {
  const BECOMES = {
    encrypted: 'chats are verified and encrypted',
    attested: 'enclaves are verified; the gateway can read chats',
    plain: 'chats are sent as they are',
  };
  return `Listening on ${url}; ${BECOMES[privacy]}.

  export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${token}
  export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${token}
  JSON-RPC: ${url}/${token}/rpc/ethereum-mainnet

Ctrl+C ends it.
`;
}
