/**
 * What a school says of itself at the end of every page: the law asks a public site in China for its records (备案) and
 * for its privacy rules. Set by the environment (SITE_…), carried inside the HTML page, so that no call is needed for it.
 */
export interface Site {
  /** Addresses of the school's own pages. */
  about: string | null;
  agreement: string | null;
  privacy: string | null;
  /** A sentence: telephone, e-mail, office hours. */
  contact: string | null;
  /** ICP 备案 as it was given, e.g. 京ICP备12345678号-1. */
  icp: string | null;
  /** 公安联网备案 as it was given, e.g. 京公网安备11010802012345号. */
  police: string | null;
  /** Where the school collects what happens on the course play page (PLAY_COLLECTOR_URL); null: nowhere. */
  collector: string | null;
}

/** A site that says nothing: nothing is shown. */
export const NO_SITE: Site = {
  about: null,
  agreement: null,
  privacy: null,
  contact: null,
  icp: null,
  police: null,
  collector: null,
};
