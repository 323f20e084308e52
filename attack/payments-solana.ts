import { randomBytes } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Address } from '@solana/kit';
import { type Attack, held, judge, type Verdict } from './attack';
import { openBooks } from './books';
import { callRpc, SOLANA } from './chains/chains';
import {
  decodePayment,
  encodePayment,
  present,
  presentUntilEnded,
  reasonOf,
  solanaPayment,
  usd,
} from './chains/payments';
import {
  computeBudget,
  countersigned,
  fundedSolanaAccount,
  messageOf,
  newSolanaAccount,
  sendSolana,
  signedTransaction,
  solanaSignIn,
  transferChecked,
} from './chains/solana-account';
import {
  dust,
  executedElsewhere,
  FIVE,
  forgedSignature,
  friend,
  isSignature,
  opening,
  presentDrain,
  signed,
  USD,
  withoutFinality,
} from './solana-opening';
import { methodsOf } from './stage/recorder';
import { chainsOf, ownOf, type Target } from './target';
import { counted } from './wire/burst';

export const SOLANA_ATTACKS: readonly Attack[] = [
  {
    id: 'solana-pay-a-friend',
    title:
      'A transfer of 50 USD to a friend, refused here, executed by another shop of the same facilitator, presented again',
    needs: ['chains', 'remote facilitator'],
    isQuick: true,
    run: (target) =>
      executedElsewhere(target, async ({ payer }) => [
        await transferChecked(payer.address, await friend(target), 50n * USD),
      ]),
  },
  {
    id: 'solana-pay-yourself',
    title: 'Transfers of 50 USD to the payer itself, executed by another shop, presented again, three times over',
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: (target) =>
      executedElsewhere(
        target,
        async ({ payer }) => [await transferChecked(payer.address, payer.address, 50n * USD)],
        3,
      ),
  },
  {
    id: 'solana-pay-the-fee-payer',
    title: 'A transfer to the fee payer instead of the receiver, executed by another shop, presented again',
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: (target) =>
      executedElsewhere(target, async ({ payer, feePayer }) => [
        await transferChecked(payer.address, feePayer, 50n * USD),
      ]),
  },
  {
    id: 'solana-two-transfers',
    title: '90 USD to the payer itself and then 5 USD to the receiver in one transaction, executed by another shop',
    needs: ['chains', 'remote facilitator'],
    isQuick: true,
    run: (target) =>
      executedElsewhere(target, async ({ payer, payTo }) => [
        await transferChecked(payer.address, payer.address, 90n * USD),
        await transferChecked(payer.address, payTo, FIVE),
      ]),
  },
  {
    id: 'solana-fee-payer-signature',
    title: 'A message that moves 1 SOL from the fee payer to the attacker: its signature must reach no node',
    needs: ['chains', 'own gateway', 'settles itself'],
    isQuick: true,
    run: async (target) => {
      const startedMs = performance.now();
      const { wire, feePayer } = await presentDrain(target);
      const key = base58.decode(feePayer);
      const message = messageOf(wire);
      const texts = ownOf(target)
        .recorder.since(startedMs, '/solana')
        .flatMap(({ body }) => body.match(/[1-9A-HJ-NP-Za-km-z]{86,88}/g) ?? []);
      const stolen = texts.find((text) => isSignature(text, message, key));
      return judge(
        stolen === undefined,
        stolen
          ? `the node was handed ${stolen.slice(0, 16)}…, the fee payer's valid signature over it`
          : `${texts.length} signatures reached the node, none of the fee payer over it`,
      );
    },
  },
  {
    id: 'solana-fee-payer-drain',
    title: 'A payment with a further instruction that takes 1 SOL from the fee payer, before and after the transfer',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const asked = target.own?.facilitator?.asked.length ?? 0;
      const { answer, lamportsLost } = await presentDrain(target);
      const settled = (target.own?.facilitator?.asked.length ?? 0) - asked;
      return judge(
        lamportsLost <= 0 && settled === 0,
        `the fee payer lost ${Math.max(0, lamportsLost)} lamports; the facilitator was asked ${settled} times; ${answer}`,
      );
    },
  },
  {
    id: 'solana-priority-fee-drain',
    title: 'A payment that has the fee payer pay a priority fee of 0.2 SOL',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { chains, accepted, payer, feePayer, payTo } = await opening(target);
      const lamports = () =>
        callRpc<{ value: number }>(chains.rpcUrl(SOLANA.slug), 'getBalance', [feePayer]).then(({ value }) => value);
      const before = await lamports();
      const wire = await signedTransaction(chains, {
        feePayer,
        signers: [payer],
        instructions: [...computeBudget(200_000, 1_000_000_000n), await transferChecked(payer.address, payTo, FIVE)],
      });
      const answer = await present(target, solanaPayment(accepted, wire));
      const lost = before - (await lamports());
      return judge(lost < 100_000, `the fee payer paid ${lost} lamports; ${reasonOf(answer)}`);
    },
  },
  {
    id: 'solana-dust-hides-payment',
    title:
      "A facilitator that pays and denies it, while 115 dust transfers push the payment out of the payer's newest signatures",
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: hideUnderDust,
  },
  {
    id: 'solana-used-message-other-signature',
    title: 'A credited message again with another signature, none, and another amount in its wrapping',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, payer, books, payTo } = await opening(target);
      const wire = await signed(target, accepted, payer, [await transferChecked(payer.address, payTo, FIVE)]);
      const first = await presentUntilEnded(target, solanaPayment(accepted, wire), 60_000);
      if (first.status !== 200) return judge(false, `an honest payment was not credited: ${reasonOf(first)}`);
      const noise = forgedSignature(wire, base58.decode(payer.address), Uint8Array.from(randomBytes(64)));
      const none = forgedSignature(wire, base58.decode(payer.address), new Uint8Array(64));
      const again = [
        await present(target, solanaPayment(accepted, noise)),
        await present(target, solanaPayment(accepted, none)),
        await present(target, solanaPayment({ ...accepted, amount: '9000000' }, wire)),
      ];
      const { gained, credited } = await books.close();
      return judge(
        gained === credited && again.every(({ status }) => status === 400),
        `another signature, none, another amount: ${again.map(({ status }) => status).join(', ')}; credited ${credited}, gained ${gained} base units`,
      );
    },
  },
  {
    id: 'solana-calls-per-refused-payment',
    title: 'A payer with 120 transactions presents a payment that does not verify: how often the nodes are asked',
    needs: ['chains', 'own gateway', 'remote facilitator'],
    isQuick: false,
    run: async (target) => {
      const { accepted, payer } = await opening(target);
      await dust(target, payer.address, 120);
      const wire = await signed(target, accepted, payer, [
        await transferChecked(payer.address, await friend(target), FIVE),
      ]);
      const startedMs = performance.now();
      const answer = await present(target, solanaPayment(accepted, wire));
      const methods = methodsOf(ownOf(target).recorder.since(startedMs, '/solana'));
      return judge(
        methods.length <= 40,
        `${methods.length} calls of the nodes for one refused payment (${reasonOf(answer)}): ${counted(methods)}`,
      );
    },
  },
  {
    id: 'solana-double-submit',
    title: 'One payment presented ten times in parallel',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, payer, books, payTo } = await opening(target);
      const header = solanaPayment(
        accepted,
        await signed(target, accepted, payer, [await transferChecked(payer.address, payTo, FIVE)]),
      );
      const answers = await Promise.all(Array.from({ length: 10 }, () => presentUntilEnded(target, header, 60_000)));
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'solana-settle-race',
    title: 'Payments of 90 USD, four at once, from a wallet that has 100 USD and sends it all away meanwhile',
    needs: ['chains'],
    isQuick: false,
    run: async (target) => {
      const { chains, accepted, payer, books, payTo } = await opening(target);
      const wires = await Promise.all(
        [1n, 2n, 3n, 4n].map(async (more) =>
          signed(target, accepted, payer, [await transferChecked(payer.address, payTo, 90n * USD + more)]),
        ),
      );
      const away = await signedTransaction(chains, {
        feePayer: payer.address,
        signers: [payer],
        instructions: [await transferChecked(payer.address, await friend(target), 50n * USD)],
      });
      const [, ...answers] = await Promise.all([
        sendSolana(chains, away).catch(() => null),
        ...wires.map((wire) => presentUntilEnded(target, solanaPayment(accepted, wire), 45_000)),
      ]);
      return books.verdict(counted(answers.map(reasonOf)));
    },
  },
  {
    id: 'solana-substitutions',
    title:
      'Payments to another network, mint, receiver or scheme than is asked for, or of less, or on a blockhash that never was',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const { accepted, payer, books, payTo } = await opening(target);
      const transfer = (amount: bigint, to: Address = payTo, mint?: Address) =>
        transferChecked(payer.address, to, amount, mint);
      const good = await signed(target, accepted, payer, [await transfer(FIVE)]);
      const other = (await newSolanaAccount()).address;
      const claims = (change: object, wire = good) =>
        encodePayment({ ...decodePayment(solanaPayment(accepted, wire)), accepted: { ...accepted, ...change } });
      const headers = [
        claims({ network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }),
        claims({ asset: other }),
        claims({ payTo: other }),
        claims({ scheme: 'upto' }),
        claims({ amount: '50000000' }),
        claims({}, await signed(target, accepted, payer, [await transfer(FIVE, await friend(target))])),
        claims({}, await signed(target, accepted, payer, [await transfer(FIVE, payTo, other)])),
        claims({ amount: '4999999' }, await signed(target, accepted, payer, [await transfer(4_999_999n)])),
        claims(
          {},
          await signed(
            target,
            accepted,
            payer,
            [await transfer(FIVE)],
            base58.encode(Uint8Array.from(randomBytes(32))),
          ),
        ),
      ];
      const answers = [];
      for (const header of headers) answers.push(await present(target, header));
      const { gained, credited } = await books.close();
      const isHeld = gained === 0n && credited === 0n && answers.every(({ status }) => status === 400);
      return judge(isHeld, `${answers.map(reasonOf).join(', ')}; credited ${credited}, gained ${gained} base units`);
    },
  },
  {
    id: 'solana-credited-before-final',
    title:
      'A payment whose transaction the node calls confirmed and does not call finalized, as one that a fork may drop',
    needs: ['chains', 'live limits'],
    isQuick: false,
    run: async (target) => {
      const { accepted, payer, payTo, books } = await opening(target);
      const { recorder } = ownOf(target);
      const header = solanaPayment(
        accepted,
        await signed(target, accepted, payer, [await transferChecked(payer.address, payTo, FIVE)]),
      );
      const early = await recorder.altering(withoutFinality, async () => {
        await presentUntilEnded(target, header, 5_000);
        return books.close();
      });
      await presentUntilEnded(target, header, 60_000);
      const late = await books.close();
      return judge(
        early.credited === 0n && late.credited === late.gained,
        `credited ${usd(early.credited)} while it was confirmed, ${usd(late.credited)} once it was finalized; the receiver gained ${usd(late.gained)}`,
      );
    },
  },
  {
    id: 'solana-facilitator-claims',
    title:
      "A facilitator that claims success without paying: with a made-up signature, and with that of somebody else's payment",
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: async (target) => {
      const { accepted, payer, payTo } = await opening(target);
      const { facilitator } = ownOf(target);
      if (!facilitator) return held('there is no facilitator');
      const someone = await fundedSolanaAccount(chainsOf(target));
      const wire = await signed(target, accepted, someone, [await transferChecked(someone.address, payTo, FIVE)]);
      const elsewhere = await sendSolana(chainsOf(target), countersigned(wire, facilitator.solana.seed));
      // This payment was never presented, so the books must not expect a credit for it.
      const fresh = await openBooks(target, accepted, [
        { address: payer.address, signIn: solanaSignIn(target, payer) },
      ]);
      const seen: string[] = [];
      for (const transaction of [base58.encode(Uint8Array.from(randomBytes(64))), elsewhere]) {
        const header = solanaPayment(
          accepted,
          await signed(target, accepted, payer, [await transferChecked(payer.address, payTo, FIVE)]),
        );
        const claim = { body: { success: true, transaction, network: SOLANA.caip2, payer: payer.address } };
        const answer = await facilitator.behaving(
          () => Promise.resolve(claim),
          () => present(target, header),
        );
        seen.push(reasonOf(answer));
      }
      return fresh.verdict(seen.join(', '));
    },
  },
];

async function hideUnderDust(target: Target): Promise<Verdict> {
  const { accepted, payer, books, payTo } = await opening(target);
  const { facilitator } = ownOf(target);
  if (!facilitator) return held('there is no facilitator');
  const header = solanaPayment(
    accepted,
    await signed(target, accepted, payer, [await transferChecked(payer.address, payTo, FIVE)]),
  );
  let paid = 0;
  const deny = async () => {
    if (paid++ === 0) {
      await facilitator.execute(decodePayment(header));
      await dust(target, payer.address, 115);
    }
    return { body: { success: false, errorReason: 'unexpected_settle_error', transaction: '', network: SOLANA.caip2 } };
  };
  // A payment that is not on chain counts as lost once its blockhash has expired.
  const answer = await facilitator.behaving(deny, () => presentUntilEnded(target, header, 110_000));
  const { gained, credited } = await books.close();
  const isHeld = gained === credited || answer.status === 503;
  return judge(
    isHeld && gained === FIVE,
    `${answer.status === 503 ? 'still open after 110 s' : reasonOf(answer)}; credited ${credited}, gained ${gained} base units`,
  );
}
