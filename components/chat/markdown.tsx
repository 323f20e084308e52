'use client';

import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { CopyButton } from '@/components/ui/copy-button';
import { PageLink } from '@/components/ui/page-link';
import { chatTurnWords as words } from './turn-words';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/**
 * Renders a model's Markdown. Shows HTML as text, and opens only console links and http, https and mailto links. An
 * image becomes a link, because loading the image would reveal the reader to the image's server.
 */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 leading-6 wrap-anywhere">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

const PLUGINS = [remarkGfm];

type Props = { children?: ReactNode } & ExtraProps;

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === 'string' ? src : undefined}>
      {words.answer.picture(alt || (typeof src === 'string' ? src : ''))}
    </SafeLink>
  ),
  // Headings in an answer rank below the page's headings.
  h1: ({ children }: Props) => <h4 className="text-lg font-semibold">{children}</h4>,
  h2: ({ children }: Props) => <h4 className="text-lg font-semibold">{children}</h4>,
  h3: ({ children }: Props) => <h5 className="font-semibold">{children}</h5>,
  h4: ({ children }: Props) => <h5 className="font-semibold">{children}</h5>,
  h5: ({ children }: Props) => <h6 className="font-semibold">{children}</h6>,
  h6: ({ children }: Props) => <h6 className="font-semibold">{children}</h6>,
  ul: ({ children }: Props) => <ul className="grid list-disc grid-cols-[minmax(0,1fr)] gap-1 pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="grid list-decimal grid-cols-[minmax(0,1fr)] gap-1 pl-6">
      {children}
    </ol>
  ),
  blockquote: ({ children }: Props) => (
    <blockquote className="grid gap-2 border-l-2 border-edge pl-3 text-dim">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  code: ({ children }: Props) => (
    <code className="figures rounded-sm bg-hover px-1 py-0.5 text-[0.9em]">{children}</code>
  ),
  pre: ({ node }: Props) => <CodeBlock node={node} />,
  table: ({ children }: Props) => (
    <div
      tabIndex={0}
      role="group"
      aria-label={words.answer.table}
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full text-sm [&_td]:border-t [&_td]:px-2.5 [&_td]:py-1.5 [&_td]:align-top [&_th]:bg-surface [&_th]:px-2.5 [&_th]:py-1.5 [&_th]:text-left [&_th]:font-medium">
        {children}
      </table>
    </div>
  ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      checked={checked === true}
      readOnly
      disabled
      aria-label={checked ? words.answer.done : words.answer.notDone}
      className="mr-1.5"
    />
  ),
};

/**
 * Links to this console open only its pages, without a query, which could fill in a request that the reader has not
 * written.
 */
function SafeLink({ href: given, children }: { href: string | undefined; children: ReactNode }) {
  const href = withoutOwnHost(given);
  const page = CONSOLE_PAGES.find((each) => each.href === href);
  if (page !== undefined)
    return (
      <PageLink href={page.href} className="text-amber-ink underline underline-offset-4">
        {children}
      </PageLink>
    );
  if (href === undefined || !/^(?:https?:\/\/|mailto:)/i.test(href))
    return <span className="underline decoration-dotted underline-offset-4">{children}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href}
      className="text-amber-ink underline underline-offset-4"
    >
      {children}
    </a>
  );
}

function withoutOwnHost(href: string | undefined): string | undefined {
  if (href === undefined || !/^https?:/i.test(href) || !URL.canParse(href)) return href;
  const { host, pathname, search, hash } = new URL(href);
  return host === window.location.host ? pathname + search + hash : href;
}

function CodeBlock({ node }: Pick<ExtraProps, 'node'>) {
  const code = node?.children.find((child) => child.type === 'element');
  const text =
    code?.type === 'element' ? code.children.map((child) => (child.type === 'text' ? child.value : '')).join('') : '';
  const classes = code?.type === 'element' ? code.properties['className'] : undefined;
  const language = (Array.isArray(classes) ? classes : [])
    .map(String)
    .find((name) => name.startsWith('language-'))
    ?.slice('language-'.length);
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex h-8 items-center justify-between border-b border-line bg-surface pr-1 pl-3 text-xs text-dim pointer-coarse:h-10">
        <span className="figures">{language ?? words.answer.plainCode}</span>
        <CopyButton text={text.replace(/\n$/, '')} label={words.answer.copyCode} iconOnly />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={words.answer.code(language ?? 'text')}
        className="figures overflow-x-auto p-3 text-xs leading-5"
      >
        {text}
      </pre>
    </figure>
  );
}
