import { randomBytes } from 'node:crypto';
import { type Attack, held, judge } from './attack';
import { openBooks } from './books';
import { BASE } from './chains/chains';
import { executeAuthorization, fundedEvmAccount } from './chains/evm-account';
import { evmPayment, present, presentUntilEnded, reasonOf, usd } from './chains/payments';
import { opening } from './evm-opening';
import { ownOf } from './target';
import type { PaymentJson } from './wire/payment-json';

/** Facilitators that lie about their settlements. */
export const EVM_FACILITATORS: readonly Attack[] = [
  {
    id: 'evm-facilitator-denies',
    title: 'A facilitator that pays and says that it did not: whoever paid must have the credit',
    needs: ['chains', 'remote facilitator'],
    isQuick: true,
    run: async (target) => {
      const { accepted, account, books } = await opening(target);
      const { facilitator } = ownOf(target);
      if (!facilitator) return held('there is no facilitator');
      const { header } = await evmPayment(accepted, account);
      const deny = async (payment: PaymentJson) => {
        await facilitator.execute(payment).catch(() => null);
        return {
          body: { success: false, errorReason: 'unexpected_settle_error', transaction: '', network: BASE.caip2 },
        };
      };
      const answer = await facilitator.behaving(deny, () => presentUntilEnded(target, header, 40_000));
      const { gained, credited } = await books.close();
      return judge(
        answer.status === 200 && gained === credited,
        `${reasonOf(answer)}; credited ${usd(credited)}, the receiver gained ${usd(gained)}`,
      );
    },
  },
  {
    id: 'evm-facilitator-claims',
    title:
      "A facilitator that claims success without paying: with a made-up hash, and with that of somebody else's payment",
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, account, payer } = await opening(target);
      const { facilitator } = ownOf(target);
      if (!facilitator) return held('there is no facilitator');
      const other = await fundedEvmAccount(chains);
      const theirs = await evmPayment(accepted, other);
      const elsewhere = await executeAuthorization(chains, other, theirs.draft.typedData.message, theirs.signature);
      const books = await openBooks(target, accepted, [payer]);
      const seen: string[] = [];
      for (const transaction of [`0x${randomBytes(32).toString('hex')}`, elsewhere]) {
        const { header } = await evmPayment(accepted, account);
        const claim = { body: { success: true, transaction, network: BASE.caip2, payer: account.address } };
        seen.push(
          reasonOf(
            await facilitator.behaving(
              () => Promise.resolve(claim),
              () => present(target, header),
            ),
          ),
        );
      }
      return books.verdict(seen.join(', '));
    },
  },
];
