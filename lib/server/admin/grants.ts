import { formatUsd } from '@/lib/protocol/pricing';
import { grant } from '../store/grants';
import { type StoreCommand, UsageError } from './command';
import { text, usd, wholeNumber } from './values';

/** `grants add` */
export const addGrant: StoreCommand = {
  name: 'grants add',
  summary: "Put money into an account's USD pot or bundled credits",
  options: {
    account: { type: 'string', value: 'ID', description: 'The account', required: true },
    usd: { type: 'string', value: 'USD', description: 'Amount for the USD pot' },
    bundled: { type: 'string', value: 'USD', description: 'Amount for the bundled credits' },
    note: { type: 'string', value: 'TEXT', description: 'Why, for the ledger' },
  },
  run: async ({ db, options }) => {
    const toUsd = usd(options, 'usd');
    const toBundled = usd(options, 'bundled');
    if ((toUsd === undefined) === (toBundled === undefined)) throw new UsageError('Give either --usd or --bundled.');
    const pot = toUsd === undefined ? 'bundled' : 'usd';
    const amountNanoUsd = toUsd ?? toBundled ?? 0;
    const accountId = wholeNumber(options, 'account', Number.MAX_SAFE_INTEGER) as number;
    const balanceNanoUsd = await grant(db, { accountId, pot, amountNanoUsd, detail: text(options, 'note') ?? 'by the operator' });
    const [amount, balance] = [formatUsd(amountNanoUsd, 9), formatUsd(balanceNanoUsd, 9)];
    return {
      text: `Granted ${amount} USD to pot ${pot} of account ${accountId}; its balance is ${balance} USD.`,
      json: { accountId, pot, amountUsd: amount, balanceUsd: balance },
    };
  },
};
