import { KeysPage } from '@/components/keys/keys-page';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Keys & staking' };

export default function KeysRoute() {
  return <KeysPage />;
}
