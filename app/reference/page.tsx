import { readFirstHead } from '@/components/reference/api-description';
import { LISTED_ERRORS, LISTED_METHODS } from '@/components/reference/listed-entries';
import { Reference } from '@/components/reference/reference';
import { askKnownDescription } from '@/lib/browser/reads/known-facts';
import type { Metadata } from 'next';
import { OWN_GATEWAY } from '../own-gateway';

export const metadata: Metadata = { title: 'API reference' };

export default async function ReferencePage() {
  const first = readFirstHead(await askKnownDescription(OWN_GATEWAY));
  return <Reference first={first} methods={LISTED_METHODS} errors={LISTED_ERRORS} />;
}
