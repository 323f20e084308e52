import { nextRoute } from '@/lib/server/http/next-adapter';
import { sandboxDescription } from '@/lib/server/api/sandbox/describe';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(sandboxDescription);
