import type { ClientProcess } from './client-process';
import type { Family } from './endpoint';
import { faultsOfMinting, faultsOfMoney, faultsOfText, sentAuthorizations } from './faults';
import { PER_DAY_USD, SECRET } from './library-calls';
import { WALLET } from './long-lived-clients';
import type { CallOutcome } from './call-outcome';
import { LEAVING_MS, patienceMs } from './patience';
import { Scenario } from './scenario';
import type { ScriptedGateway } from './scripted-gateway';
import type { ToldCall } from './told-lies';

const KEY = { TURNPIKE_API_KEY: 'sk_of_the_client_under_attack' };
/** Exit codes of docs/client.md. A bug in the program exits with 70. */
const EXIT_CODES: readonly number[] = [0, 1, 2, 3, 4, 130];

/** Command line, and the endpoints that it calls. */
interface CommandCall {
  name: string;
  family: Family;
  asks: readonly string[];
  args: readonly string[];
  env: Record<string, string>;
  /** Exit code after honest answers; 0 by default. */
  trueCode?: number;
}

const BUDGET = ['--per-day', String(PER_DAY_USD)];
const PAYING = ['top-up', 'sandbox'];
const CHATTING = ['chat', 'attestation', 'signature', 'models', 'sandbox', 'charges'];

const LINES: readonly CommandCall[] = [
  { name: 'balance', family: 'books', asks: ['balance'], args: ['balance'], env: KEY },
  { name: 'usage', family: 'books', asks: ['charges'], args: ['usage'], env: WALLET },
  { name: 'usage-by', family: 'books', asks: ['charges'], args: ['usage', '--by', 'day'], env: KEY },
  { name: 'keys', family: 'keys', asks: ['keys'], args: ['keys'], env: WALLET },
  { name: 'keys-revoke', family: 'keys', asks: ['revoke'], args: ['keys', 'revoke', 'key-1'], env: WALLET },
  {
    name: 'keys-mint',
    family: 'keys',
    asks: ['mint-token', 'mint'],
    args: ['keys', 'mint', 'one', '--limit', '1', '--period', 'day'],
    env: WALLET,
  },
  { name: 'rpc', family: 'chains', asks: ['rpc'], args: ['rpc', 'base-mainnet', 'eth_blockNumber'], env: KEY },
  {
    name: 'rpc-paid',
    family: 'money',
    asks: ['rpc', ...PAYING],
    args: ['rpc', 'base-mainnet', 'eth_blockNumber', ...BUDGET],
    env: WALLET,
  },
  { name: 'top-up', family: 'money', asks: PAYING, args: ['top-up', '12'], env: WALLET },
  { name: 'chat', family: 'chats', asks: CHATTING, args: ['chat', SECRET, '--allow-simulated'], env: KEY },
  {
    name: 'verify',
    family: 'chats',
    asks: ['attestation', 'models'],
    args: ['verify', 'e2ee-guide'],
    env: KEY,
    trueCode: 1,
  },
  {
    name: 'verify-simulated',
    family: 'chats',
    asks: ['attestation', 'models', 'sandbox'],
    args: ['verify', 'e2ee-guide', '--allow-simulated'],
    env: KEY,
  },
];

/** Each command line in two variants: text output and JSON. */
export const COMMAND_CALLS: readonly CommandCall[] = LINES.flatMap((line) => [
  line,
  { ...line, name: `${line.name}-json`, args: [...line.args, '--json'] },
]);

/** Runs a command line in the process under attack. */
export async function callCommand(
  gateway: ScriptedGateway,
  client: ClientProcess,
  told: ToldCall,
): Promise<CallOutcome> {
  const call = COMMAND_CALLS.find((each) => each.name === told.call) as CommandCall;
  const scenario = new Scenario(told.lies);
  const { url, close } = gateway.open(scenario);
  const command = client.run([...call.args, '--url', url], call.env);
  const deadlineMs = patienceMs(told, call.family);
  const patience = setTimeout(() => command.abort(), deadlineMs);
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), deadlineMs + LEAVING_MS).unref());
  const code = await Promise.race([command.ended, late]).catch((error: unknown) => String(error));
  clearTimeout(patience);
  close();
  const { out, err } = command;
  const faults = [
    ...faultsOfText(out, 'standard output'),
    ...faultsOfText(err, 'standard error'),
    ...faultsOfMinting(scenario, gateway.origin),
    ...faultsOfMoney(sentAuthorizations(scenario), PER_DAY_USD),
  ];
  if (scenario.seen.some(({ body }) => body.includes(SECRET))) faults.push('sent a private question in the clear');
  if (typeof code === 'string') faults.push(code);
  else if (code === null) faults.push(`it had not ended ${LEAVING_MS} ms after Ctrl+C`);
  else if (!EXIT_CODES.includes(code)) faults.push(`it ended with ${code}: ${err.slice(0, 400)}`);
  else faults.push(...faultsOfEnding({ code, out, err, isJson: call.args.includes('--json') }));
  return { faults, isDone: code === (call.trueCode ?? 0), ending: `${call.name} ${String(code)}` };
}

function faultsOfEnding({
  code,
  out,
  err,
  isJson,
}: {
  code: number;
  out: string;
  err: string;
  isJson: boolean;
}): string[] {
  if (code !== 0 && code !== 1 && `${out}${err}`.trim() === '') return [`it ended with ${code} and no word`];
  if (!isJson || code === 130) return [];
  try {
    JSON.parse(out);
    return [];
  } catch {
    return [`with --json and ${code} it printed ${JSON.stringify(out.slice(0, 200))}`];
  }
}
