import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer, TOKEN_HELP } from '../customer';
import { describeEvent } from '../described-event';
import { readOptions } from '../options';
import { argumentsNamed } from '@/lib/command-line/options';
import { jsonText } from '../printable';
import { UsageError } from '@/lib/command-line/usage-error';

const HELP = `turnpike-client top-up AMOUNT [options]

Pays USDC from the wallet to the gateway and waits until it is credited. The command pays exactly
AMOUNT without asking again, and refuses any other amount.

${TOKEN_HELP}
${CUSTOMER_HELP}
`;

export const topUp: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, CUSTOMER_OPTIONS);
    const { AMOUNT } = argumentsNamed(positionals, 'AMOUNT');
    const amountUsd = amountOf(AMOUNT);
    if (values['per-day'] !== undefined || values['per-call'] !== undefined || values['top-up'] !== undefined)
      throw new UsageError('A top-up accepts only an amount, no budget.');
    const customer = await readCustomer(values, io, {
      budget: { perDayUsd: amountUsd },
      onEvent: (event) => io.err(describeEvent(event)),
    });
    if ((await customer.address()) === null)
      throw new UsageError(
        'An API key cannot top up: a wallet signs the payment. Give --keystore, --solana-keypair, --keychain or TURNPIKE_PRIVATE_KEY.',
      );
    const credited = await customer.topUp(amountUsd, { signal: io.signal });
    if (values.json) io.out(`${jsonText(credited, 2)}\n`);
    else io.out(`${credited.amountCreditedUsd} USD credited; the prepaid balance is ${credited.newBalanceUsd} USD.\n`);
    return EXIT.done;
  },
};

function amountOf(text: string): number {
  const amountUsd = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (!(amountUsd > 0))
    throw new UsageError(`AMOUNT is ${JSON.stringify(text)}; it must be an amount of USD, such as 5 or 7.25.`);
  return amountUsd;
}
