import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { readOptions, usdOption } from '../options';
import { argumentsNamed } from '../positionals';
import { UsageError } from '../usage-error';

const HELP = `turnpike-client top-up AMOUNT [options]

Pays USDC from the wallet to the gateway and waits until it is credited. Naming the amount is
the consent to it; what is asked for beyond that is refused.

  --allow-asset TOKEN    a token beside USDC that is worth a dollar; may be repeated
  --solana-rpc URL       a Solana node, for payments of a Solana wallet
${CUSTOMER_HELP}
`;

/** A top-up by hand. */
export const topUp: Command = {
  summary: 'pay USDC from the wallet into its prepaid balance',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, CUSTOMER_OPTIONS);
    const { AMOUNT } = argumentsNamed(positionals, 'AMOUNT');
    const amountUsd = usdOption('AMOUNT'.toLowerCase(), AMOUNT) ?? 0;
    if (values['per-day'] !== undefined || values['per-call'] !== undefined || values['top-up'] !== undefined) throw new UsageError('A top-up has no budget beside its amount.');
    const customer = await readCustomer(values, io, { budget: { perDayUsd: amountUsd }, onEvent: (event) => io.err(describeEvent(event)) });
    const credited = await customer.topUp(amountUsd, { signal: io.signal });
    if (values.json) io.out(`${JSON.stringify(credited, null, 2)}\n`);
    else io.out(`${credited.amountCreditedUsd} USD credited; the prepaid balance is ${credited.newBalanceUsd} USD.\n`);
    return EXIT.done;
  },
};
