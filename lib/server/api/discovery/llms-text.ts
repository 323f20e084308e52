import type { BrandLinks } from '@/lib/protocol/brand';
import { TAGS } from '../openapi/tags';
import type { Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import type { Listing } from './payable-urls';

/** Renders llms.txt (llmstxt.org): what the gateway is, how to pay, and each endpoint with its price. */
export function llmsText({ routes, origin, networks, takesCallPayments, brand }: Listing): string {
  const pay = takesCallPayments ? PAY_WITH_THE_CALL : PAY_BEFORE;
  return [
    `# ${brand.name}`,
    '> Blockchain JSON-RPC, private chat, embeddings, images, speech, transcripts and video over HTTP, paid by the call in USDC. A wallet is the identity: no account is needed.',
    [
      `- Base URL: ${origin}/api/v1. Chats use the form of the OpenAI API.`,
      `- Full description (OpenAPI 3.1): ${origin}/openapi.json`,
      ...pay.map((sentence) => `- ${sentence}`),
      '- Errors are JSON: `error` says what happened and what to do, `code` is stable.',
    ].join('\n'),
    ...Object.entries(TAGS).flatMap(([tag, description]) => sectionOf(tag, description, routes, origin)),
    `## Networks\n\n${networks.length > 0 ? networks.map((slug) => `\`${slug}\``).join(', ') : 'None is configured.'}`,
    `## Optional\n\n- [API reference](${origin}/reference): for people, with examples\n- [Payable URLs](${origin}/.well-known/x402)\n- [API catalogue](${origin}/.well-known/api-catalog)${linksOf(brand.links)}`,
    '',
  ].join('\n\n');
}

const PAY_WITH_THE_CALL = [
  'To pay by the call (x402): send the request without a credential, sign one of the "accepts" of the 402, and send the same request again with the payment in the header PAYMENT-SIGNATURE. The unused part is credited to the wallet.',
  'A wallet sign-in spends that balance (header SIGN-IN-WITH-X; the challenge is under "extensions" of the 402). Wallets that stake can mint API keys instead.',
];

const PAY_BEFORE = [
  'To pay: prepay USDC with POST /api/v1/x402/top-up (x402), then call with a wallet sign-in (header SIGN-IN-WITH-X). Wallets that stake can mint API keys instead.',
];

const LINK_TITLES: Readonly<Record<keyof BrandLinks, string>> = {
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  support: 'Support',
  status: 'Status',
};

function linksOf(links: BrandLinks): string {
  return Object.entries(LINK_TITLES)
    .flatMap(([kind, title]) => {
      const url = links[kind as keyof BrandLinks];
      return url === undefined ? [] : [`\n- [${title}](<${url}>)`];
    })
    .join('');
}

function sectionOf(tag: string, description: string, routes: readonly Route[], origin: string): string[] {
  const lines = routes.flatMap(({ path, docs }) =>
    Object.entries(docs ?? {}).flatMap(([verb, operation]) =>
      operation.tag === tag ? [lineOf(verb, path, operation, origin)] : [],
    ),
  );
  return lines.length === 0 ? [] : [`## ${tag}`, description, lines.join('\n')];
}

function lineOf(verb: string, path: string, { id, summary, credentials, sale }: Operation, origin: string): string {
  const price = sale?.price ?? (credentials.length === 0 ? 'Public.' : 'Free of charge.');
  return `- [${verb} ${path}](${origin}/reference#${id}): ${summary}. ${price}`;
}
