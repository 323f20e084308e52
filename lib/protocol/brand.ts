/** Absolute URLs of the operator's pages. */
export interface BrandLinks {
  terms?: string | undefined;
  privacy?: string | undefined;
  support?: string | undefined;
  status?: string | undefined;
}

/** Identity that a gateway shows to its customers. */
export interface Brand {
  name: string;
  /** Lower case, for file names and token claims, such as `acme-rpc`. */
  slug: string;
  signInStatement: string;
  links: BrandLinks;
}

/** Allows only characters that sign-in statements, quoted header values and x402 catalogues all accept. */
export const BRAND_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 .&'+-]{0,30}[A-Za-z0-9.+])?$/;

export const BRAND_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** Creates a brand. The default sign-in statement contains the name. */
export function brandNamed(name: string, { signInStatement, links = {} }: Partial<Omit<Brand, 'name'>> = {}): Brand {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');
  return { name, slug, signInStatement: signInStatement ?? `Sign in to ${name}`, links };
}

export const DEFAULT_BRAND: Brand = brandNamed('Turnpike');

export interface PageBrand extends Brand {
  /** Path of the logo; null for the built-in logo. */
  logo: string | null;
  icon: string | null;
  /** CSS of the accent colours; null for the built-in colours. */
  style: string | null;
}

export const DEFAULT_PAGE_BRAND: PageBrand = { ...DEFAULT_BRAND, logo: null, icon: null, style: null };
