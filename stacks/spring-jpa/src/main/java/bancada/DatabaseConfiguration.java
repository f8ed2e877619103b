// SPDX-License-Identifier: Apache-2.0
package bancada;

import javax.sql.DataSource;

import org.hibernate.cfg.JdbcSettings;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Lets the application start and serve what needs no database when SQL_URL is not set.
 *
 * <p>Both decisions are taken when the application runs, for the beans of a native image are fixed when it is built.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

    private final boolean expected;

    DatabaseConfiguration(@Value("${SQL_URL:}") String url) {
        this.expected = !url.isEmpty();
    }

    /** Hibernate asks the database for its dialect; where there is none, it must not ask, and any dialect does. */
    @Bean
    HibernatePropertiesCustomizer dialect() {
        return properties -> {
            if (!expected) {
                properties.put(JdbcSettings.ALLOW_METADATA_ON_BOOT, false);
                properties.put(JdbcSettings.JAKARTA_HBM2DDL_DB_NAME, "MariaDB");
            }
        };
    }

    /** In place of Boot's indicator, which would report a database that nobody expects as down. */
    @Bean
    HealthIndicator dbHealthIndicator(DataSource dataSource) {
        return expected ? new DataSourceHealthIndicator(dataSource) : () -> Health.unknown().build();
    }
}
