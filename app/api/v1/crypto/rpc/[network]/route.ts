import { nextRoute } from '@/lib/server/http/next-adapter';
import { rpcProxy } from '@/lib/server/endpoints/crypto/rpc/proxy';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(rpcProxy);
