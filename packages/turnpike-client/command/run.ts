import { type FieldError, GatewayError, OversizedAnswerError, UnreachableError } from '@/lib/client/gateway-error';
import { PrivateChatError } from '@/lib/client/private-chat';
import { version } from '../package.json';
import { privateRefusal } from '../src/private-refusal';
import { isAbort, TurnpikeError, turnpikeErrorOf } from '../src/turnpike-error';
import { type Command, type CommandIo, EXIT } from './command';
import { inOwnWords } from './own-words';
import { jsonText, printable } from './printable';
import { UsageError } from './usage-error';

/** Each command is loaded when it is called: one that speaks MCP is not to slow one that does not. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  proxy: {
    summary: 'a local endpoint that makes any OpenAI, Anthropic or JSON-RPC program a customer',
    load: async () => (await import('./commands/proxy')).proxy,
  },
  mcp: {
    summary: 'an MCP server for agents, over standard input and output or HTTP',
    load: async () => (await import('./commands/mcp')).mcp,
  },
  chat: {
    summary: 'ask a model in an enclave, end-to-end encrypted',
    load: async () => (await import('./commands/chat')).chat,
  },
  rpc: { summary: 'call a blockchain', load: async () => (await import('./commands/rpc')).rpc },
  verify: {
    summary: "verify the attestation of a model's enclave",
    load: async () => (await import('./commands/verify')).verify,
  },
  balance: { summary: 'what there is to spend', load: async () => (await import('./commands/balance')).balance },
  'top-up': {
    summary: 'pay USDC from the wallet into its prepaid balance',
    load: async () => (await import('./commands/top-up')).topUp,
  },
  usage: {
    summary: 'what was charged, call by call or summed',
    load: async () => (await import('./commands/usage')).usage,
  },
  keys: {
    summary: "list the account's API keys, or revoke one",
    load: async () => (await import('./commands/keys')).keys,
  },
};

/** What a shell learns, at the end of every help. */
const EXIT_HELP = `Exit code: 0 done · 1 the answer is no · 2 wrong usage, or no account · 3 the gateway refused or
           did not answer · 4 the budget or the wallet does not pay for it · 130 cancelled`;

const HELP = `turnpike-client COMMAND [options]

A customer of a Turnpike gateway at the shell: signs in with a wallet or an API key, pays within
a budget, and verifies and encrypts chats on this side.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')}

turnpike-client COMMAND --help tells the options of one.

${EXIT_HELP}
`;

const OF_MONEY =
  /^(BUDGET_|TOP_UP_|PAYMENT_|ASSET_|TERMS_|RAIL_|SOLANA_RPC_|WALLET_(REFUSED|FAILED|TIMEOUT)|INSUFFICIENT_)/;
/** Refused here, before a gateway was asked. */
const OF_USAGE = /^(URL_|ACCOUNT_|API_KEY_MALFORMED|BUDGET_INVALID|NETWORK_INVALID|OPTION_INVALID)/;
const OF_PROOF = /^(ATTESTATION_|SIGNATURE_|REPLY_|NOT_PRIVATE)/;

/** Runs a command line to its end. @returns the exit code; whatever goes wrong is said as a sentence */
export function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  // All that a command prints passes here, wherever it came from.
  return run(args, { ...io, out: (text) => io.out(printable(text)), err: (text) => io.err(printable(text)) });
}

async function run([name, ...args]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.err : io.out)(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version' || name === '-V') {
    io.out(`${version}\n`);
    return EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const isJson = args.includes('--json');
  try {
    if (command === undefined)
      throw new UsageError(
        `There is no command ${JSON.stringify(name)}; there are ${Object.keys(COMMANDS).join(', ')}.`,
      );
    const loaded = await command.load();
    if (args.includes('--help') || args.includes('-h')) {
      io.out(`${loaded.help}\n${EXIT_HELP}\n`);
      return EXIT.done;
    }
    return await loaded.run(args, io);
  } catch (error) {
    return told(error, isJson, io);
  }
}

function told(error: unknown, isJson: boolean, io: CommandIo): number {
  if (io.signal.aborted || isAbort(error)) {
    io.err('Cancelled.\n');
    return EXIT.cancelled;
  }
  if (error instanceof UsageError) {
    if (isJson) io.out(`${jsonText({ error: error.message, code: 'USAGE' })}\n`);
    else io.err(`${error.message}\n`);
    return EXIT.usage;
  }
  const typed = typedError(error);
  if (typed === null) {
    io.err(
      `This is a fault of turnpike-client: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return EXIT.fault;
  }
  const { message, remedy } = inOwnWords(typed);
  if (isJson)
    io.out(`${jsonText({ error: message, code: typed.code, remedy, status: typed.status, detail: typed.detail })}\n`);
  else
    io.err(
      `${[message, ...(message.includes(remedy) ? [] : [remedyForPeople(remedy, typed)])].filter(Boolean).join('\n')}\n`,
    );
  if (typed.status === null && OF_USAGE.test(typed.code)) return EXIT.usage;
  if (OF_MONEY.test(typed.code) || typed.status === 402) return EXIT.money;
  return OF_PROOF.test(typed.code) ? EXIT.failed : EXIT.refused;
}

/** The fields at fault themselves, where the gateway's remedy says where in its answer they stand. */
function remedyForPeople(remedy: string, { detail }: TurnpikeError): string {
  if (!remedy.includes('"details"')) return remedy;
  const faults = Array.isArray(detail['fieldErrors']) ? (detail['fieldErrors'] as readonly FieldError[]) : [];
  return faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n');
}

/** What a gateway, a wallet or an enclave is the cause of; null for what is none of these. */
function typedError(error: unknown): TurnpikeError | null {
  if (error instanceof PrivateChatError) return privateRefusal(error);
  const isKnown = [TurnpikeError, GatewayError, UnreachableError, OversizedAnswerError].some(
    (kind) => error instanceof kind,
  );
  return isKnown ? turnpikeErrorOf(error) : null;
}
