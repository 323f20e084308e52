import { quotesOf } from '@/lib/browser/chat/quote-fields';
import { chatHopWords } from '@/lib/browser/words/chat-hops';
import { chatPrivacyWords as words } from '@/lib/browser/words/chat-privacy';
import { useMemo } from 'react';

/** Lists the fields of each quote, with the enclave's name if there are several quotes. */
export function QuoteFieldList({ report }: { report: unknown }) {
  const quotes = useMemo(() => quotesOf(report), [report]);
  if (quotes.length === 0) return <p className="text-dim">{words.quote.unreadable}</p>;
  return (
    <div className="grid gap-4">
      {quotes.map(({ role, name, fields }, index) => (
        <section key={`${role} ${name ?? index}`} aria-label={chatHopWords.enclave(role, name)} className="grid gap-2">
          {quotes.length > 1 && <h4 className="text-sm font-medium">{chatHopWords.enclave(role, name)}</h4>}
          <dl className="grid gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(9rem,auto)_minmax(0,1fr)]">
            {fields.map((field) => (
              <div key={field.name} className="contents">
                <dt className="text-faint">{field.name}</dt>
                <dd className="figures mb-1 wrap-anywhere sm:mb-0">{field.value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
