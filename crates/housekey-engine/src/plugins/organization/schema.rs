use super::OrganizationOptions;
use crate::schema::{Column, SchemaContribution, SchemaError, Table, additional_column};

/// The plugin's tables and columns: those of the reference, and what lets the database decide where that only looks.
pub(super) fn schema(options: &OrganizationOptions) -> Result<SchemaContribution, SchemaError> {
    let mut tables = vec![organization()];
    if options.dynamic_roles.is_some() {
        tables.push(organization_role());
    }
    if options.teams.is_some() {
        tables.extend([team(), team_member()]);
    }
    tables.extend([member(), invitation(options.teams.is_some())]);
    let mut contribution = SchemaContribution::new();
    for mut table in tables {
        add_fields(&mut table, options)?;
        contribution = contribution.table(table);
    }
    contribution = contribution
        .column("session", Column::text("activeOrganizationId").nullable().read_only())
        .column("user", Column::text("lastOrganizationId").nullable().read_only().hidden())
        .unique_index("member", ["organizationId", "userId"]);
    if options.teams.is_some() {
        contribution = contribution.column("session", Column::text("activeTeamId").nullable().read_only());
    }
    if options.dynamic_roles.is_some() {
        contribution = contribution.unique_index("organizationRole", ["organizationId", "role"]);
    }
    Ok(contribution.names(&options.schema))
}

fn organization() -> Table {
    Table::new("organization")
        .column_with(Column::text("name"))
        .column_with(Column::text("slug").unique())
        .column_with(Column::text("logo").nullable())
        .column_with(Column::date("createdAt"))
        .column_with(Column::text("metadata").nullable())
}

fn organization_role() -> Table {
    Table::new("organizationRole")
        .column_with(Column::reference("organizationId", "organization").indexed())
        .column_with(Column::text("role").indexed())
        .column_with(Column::text("permission"))
        .column_with(Column::date("createdAt").default_now())
        .column_with(Column::date("updatedAt").nullable())
}

fn team() -> Table {
    Table::new("team")
        .column_with(Column::text("name"))
        .column_with(Column::integer("memberCount").hidden())
        .column_with(Column::reference("organizationId", "organization").indexed())
        .column_with(Column::date("createdAt"))
        .column_with(Column::date("updatedAt").nullable())
}

fn team_member() -> Table {
    Table::new("teamMember")
        .column_with(Column::reference("teamId", "team").indexed())
        .column_with(Column::reference("userId", "user").indexed())
        .column_with(Column::text("membershipKey").nullable().unique().hidden())
        .column_with(Column::date("createdAt").nullable())
}

fn member() -> Table {
    Table::new("member")
        .column_with(Column::reference("organizationId", "organization").indexed())
        .column_with(Column::reference("userId", "user").indexed())
        .column_with(Column::text("role").default_value("member"))
        .column_with(Column::date("createdAt"))
}

fn invitation(with_teams: bool) -> Table {
    let mut table = Table::new("invitation")
        .column_with(Column::reference("organizationId", "organization").indexed())
        .column_with(Column::text("email").indexed())
        .column_with(Column::text("role").nullable());
    if with_teams {
        table = table.column_with(Column::text("teamId").nullable());
    }
    table
        .column_with(Column::text("status").default_value("pending"))
        .column_with(Column::date("expiresAt"))
        .column_with(Column::date("createdAt").default_now())
        .column_with(Column::reference("inviterId", "user"))
        .column_with(Column::text("pendingKey").nullable().unique().hidden())
}

fn add_fields(table: &mut Table, options: &OrganizationOptions) -> Result<(), SchemaError> {
    for (field, declared) in options.additional_fields.get(&table.key).into_iter().flatten() {
        if table.column(field).is_some() {
            let message = format!(
                "organization.additional_fields.{}.{field}: the table has that column already",
                table.key
            );
            return Err(SchemaError::new(message));
        }
        table.columns.push(additional_column(&table.key, field, declared)?);
    }
    Ok(())
}
