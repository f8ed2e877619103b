// SPDX-License-Identifier: Apache-2.0
package bancada.shop.category;

import java.util.List;

import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

import bancada.shop.Category;
import io.quarkus.panache.common.Sort;
import jakarta.transaction.Transactional;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("/categories")
@Produces(MediaType.APPLICATION_JSON)
class CategoryResource {

    private final CategoryRepository categories;

    CategoryResource(CategoryRepository categories) {
        this.categories = categories;
    }

    @GET
    public List<CategoryResponse> list() {
        return categories.listAll(Sort.by("id")).stream().map(CategoryResponse::of).toList();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(StatusCode.CREATED)
    @Transactional
    public CategoryResponse insert(@NotNull @Valid CategoryRequest request) {
        Category category = new Category(request.code(), request.name());
        categories.persist(category);
        return CategoryResponse.of(category);
    }
}
