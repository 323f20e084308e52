import { type Command, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { readOptions } from '../options';
import { jsonText, printableLine } from '../printable';
import { UsageError } from '../usage-error';

const HELP = `turnpike-client rpc NETWORK METHOD [PARAMETER …] [options]

Sends a JSON-RPC request to a chain. Each parameter is JSON, or else a text: 0x…, latest.

  turnpike-client rpc ethereum-mainnet eth_getBalance 0x… latest
  turnpike-client rpc base-mainnet eth_call '{"to":"0x…","data":"0x…"}' latest

${BUDGET_HELP}
${CUSTOMER_HELP}
`;

/** A call of a chain. */
export const rpc: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, CUSTOMER_OPTIONS);
    const [network, method, ...parameters] = positionals;
    if (network === undefined || method === undefined) throw new UsageError('Name the network and the method, as in: rpc ethereum-mainnet eth_blockNumber');
    const customer = await readCustomer(values, io, { onEvent: (event) => io.err(describeEvent(event)) });
    const answer = await customer.rpc(network, { id: 1, method, params: parameters.map(parameterOf) }, { signal: io.signal });
    const [item] = answer.items;
    if (values.json) io.out(`${jsonText({ result: item?.result, error: item?.error ?? undefined, credits: answer.credits, costUsd: answer.costUsd, requestId: answer.requestId }, 2)}\n`);
    else if (item?.error) io.err(`The node answered an error: ${printableLine(item.error.message)} (${String(item.error.code)})\n`);
    else io.out(`${typeof item?.result === 'string' ? item.result : jsonText(item?.result ?? null, 2)}\n`);
    return item?.error ? EXIT.failed : EXIT.done;
  },
};

/** What is JSON is sent as it is; a hexadecimal number or a word would be none. */
function parameterOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
