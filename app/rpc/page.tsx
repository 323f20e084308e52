import { RpcWorkbench } from '@/components/rpc/rpc-workbench';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'RPC' };

export default function RpcPage() {
  return <RpcWorkbench />;
}
