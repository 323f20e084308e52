import { Reference } from '@/components/reference/reference';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'API reference' };

export default function ReferencePage() {
  return <Reference />;
}
