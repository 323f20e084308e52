import { isRecord } from '@/lib/protocol/json-record';
import { parseAsWritten } from '@/lib/client/exact-json';
import { TurnpikeError } from '../../src/turnpike-error';
import { type Command, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { readOptions } from '../options';
import { jsonText, printableLine } from '../printable';
import { UsageError } from '@/lib/command-line/usage-error';

const HELP = `turnpike-client rpc NETWORK METHOD [PARAMETER …] [options]

Sends a JSON-RPC request to a chain. Each parameter is JSON, or else text such as 0x… or latest.
Numbers are sent and shown as they are written; a Solana address of only digits is text.

  turnpike-client rpc ethereum-mainnet eth_getBalance 0x… latest
  turnpike-client rpc base-mainnet eth_call '{"to":"0x…","data":"0x…"}' latest

${BUDGET_HELP}
${CUSTOMER_HELP}
`;

export const rpc: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, CUSTOMER_OPTIONS);
    const [network, method, ...parameters] = positionals;
    if (network === undefined || method === undefined)
      throw new UsageError('Name the network and the method, as in: rpc ethereum-mainnet eth_blockNumber');
    const customer = await readCustomer(values, io, { onEvent: (event) => io.err(describeEvent(event)) });
    const answer = await customer.rpc(network, requestText(method, parameters), { signal: io.signal });
    const [item] = answer.items;
    const { result } = writtenItem(answer.bodyText);
    if (values.json)
      io.out(
        `${jsonText({ result, error: item?.error ?? undefined, credits: answer.credits, costUsd: answer.costUsd, requestId: answer.requestId }, 2)}\n`,
      );
    else if (item?.error)
      io.err(`The node returned an error: ${printableLine(item.error.message)} (${String(item.error.code)})\n`);
    else io.out(`${typeof result === 'string' ? result : jsonText(result ?? null, 2)}\n`);
    return item?.error ? EXIT.failed : EXIT.done;
  },
};

function requestText(method: string, parameters: readonly string[]): string {
  return `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":[${parameters.map(parameterText).join()}]}`;
}

/**
 * Quotes text that is not JSON. Also quotes Solana addresses, blockhashes and signatures, because they can look like
 * numbers.
 */
function parameterText(parameter: string): string {
  return isJson(parameter) && !isSolanaName(parameter) ? parameter : JSON.stringify(parameter);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Matches 32 or 64 bytes in base58, even if all characters are digits, because no chain accepts such long decimal
 * numbers.
 */
const SOLANA_NAME = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[1-9A-HJ-NP-Za-km-z]{64,88})$/;
const isSolanaName = (text: string): boolean => SOLANA_NAME.test(text);

function writtenItem(bodyText: string): Readonly<Record<string, unknown>> {
  try {
    const item = parseAsWritten(bodyText);
    return isRecord(item) ? item : {};
  } catch (cause) {
    throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The answer is nested too deeply to be shown.', cause });
  }
}
