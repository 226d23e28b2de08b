// The roles of an organization in words. The three that every organization has are described; a role of your own
// (`access` in config/auth.rs) is called by its name until it gets a line here.

const known: Record<string, { label: string; about: string }> = {
  owner: { label: 'Owner', about: 'Everything, also deleting the organization and making others owners.' },
  admin: { label: 'Admin', about: 'Invites and removes people, changes roles and the name of the organization.' },
  member: { label: 'Member', about: 'Works here, and changes nothing about the organization itself.' },
}

/** Such as `Admin`. */
export function roleLabel(role: string): string {
  return known[role]?.label ?? role.charAt(0).toUpperCase() + role.slice(1)
}

/** Such as `Admin and Billing`, for who has several. */
export function rolesLabel(roles: readonly string[]): string {
  return new Intl.ListFormat(document.documentElement.lang || 'en').format(roles.map(roleLabel))
}

/** What somebody with it can do. */
export function roleAbout(role: string): string | undefined {
  return known[role]?.about
}
