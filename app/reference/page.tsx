import { Reference } from '@/components/reference/reference';
import type { Metadata } from 'next';
import { preload } from 'react-dom';
import { LISTED_ERRORS, LISTED_METHODS } from '@/components/reference/listed-entries';

export const metadata: Metadata = { title: 'API reference' };

export default function ReferencePage() {
  preload('/api/v1/openapi.json', { as: 'fetch', crossOrigin: 'anonymous' });
  return <Reference methods={LISTED_METHODS} errors={LISTED_ERRORS} />;
}
