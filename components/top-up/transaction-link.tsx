import { CopyButton } from '@/components/ui/copy-button';
import { PageLink } from '@/components/ui/page-link';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import { transactionLink } from '@/lib/browser/wallet/transaction-link';
import { shortAddress } from '@/lib/browser/wallet/wallet-store';
import { paymentWords } from './payment-words';
import { ExternalLink } from 'lucide-react';

const LINK = 'inline-flex items-center gap-1 text-amber-ink underline-offset-4 hover:underline';

export function TransactionLink({
  rail,
  transaction,
  hasCode = true,
}: {
  rail: Pick<PayRail, 'family' | 'rpcNetwork' | 'isStandIn' | 'network'>;
  transaction: string;
  hasCode?: boolean;
}) {
  const { name, href, isExternal } = transactionLink(rail, transaction);
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 text-xs">
      {hasCode && (
        <code className="figures" title={transaction}>
          {shortAddress(transaction)}
        </code>
      )}
      <CopyButton
        text={transaction}
        label={paymentWords.receipt.copyTransaction}
        iconOnly
        className="-my-1 size-6 pointer-coarse:size-8"
      />
      {isExternal ? (
        <a href={href} target="_blank" rel="noreferrer" className={LINK}>
          {name}
          <ExternalLink aria-hidden className="size-3" />
        </a>
      ) : (
        <PageLink href={href} className={LINK}>
          {name}
        </PageLink>
      )}
    </span>
  );
}
